/**
 * A template with a value in the place of each `{name}`, and without the line feed at its end. What a value holds is not
 * filled again. Throws where a placeholder has no value: a template that went out with a hole would be read as it is.
 */
export function fillTemplate(template: string, values: Readonly<Record<string, string>> = {}): string {
  return template.trimEnd().replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`A template has no value for “${name}”.`);
    return value;
  });
}
