/** Resolves the mentions in a prompt. */
export interface PromptContext {
  /**
   * The current text that the model gets in addition to `prompt`, marked as data of the workspace; empty if
   * there is none. Never rejects.
   */
  contextOf(prompt: string): Promise<string>;
}
