// An answer as models write them: headings, lists, code, tables and quotes in turns.

const blocks: readonly ((section: number) => string)[] = [
  (section) => `## Step ${section}: what has to change\n\n`,
  (section) =>
    `The function \`parseLine${section}\` reads **one line** at a time, which is *slow* for long files. ` +
    'It should take the whole text, split it once, and hand the pieces on; see the code below for how that looks ' +
    'when the errors are collected instead of thrown.\n\n',
  (section) =>
    `- Read the file once and keep its bytes.\n- Split it at \`\\n\` into ${section + 10} pieces.\n` +
    '- Collect what is wrong:\n  - the number of the line\n  - the reason, in words\n- Report all of it at the end.\n\n',
  (section) =>
    `\`\`\`ts\nexport function parse${section}(text: string): readonly Line[] {\n` +
    "  const lines = text.split('\\n');\n  const found: Line[] = [];\n" +
    '  for (const [index, line] of lines.entries()) {\n    if (line.trim() === "") continue;\n' +
    '    found.push({ number: index + 1, words: line.split(" ") });\n  }\n  return found;\n}\n```\n\n',
  (section) =>
    `| file | before | after |\n| --- | ---: | ---: |\n| \`src/parse${section}.ts\` | 120 ms | 14 ms |\n` +
    '| `src/report.ts` | 45 ms | 44 ms |\n| `src/main.ts` | 8 ms | 8 ms |\n\n',
  () => '> A line that ends in a backslash goes on in the next one, so it must not be split there.\n\n',
];

/** About four characters each, as a model's tokens are. */
export function richTokens(count: number): string[] {
  let text = '';
  for (let section = 0; text.length < count * 4; section++) {
    text += blocks.map((block) => block(section)).join('');
  }
  return Array.from({ length: count }, (_, index) => text.slice(index * 4, index * 4 + 4));
}
