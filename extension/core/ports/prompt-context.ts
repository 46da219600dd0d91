/** What a prompt's mentions stand for. */
export interface PromptContext {
  /**
   * What the model is told beside `prompt`, as it is at this moment, marked as data of the workspace; empty where there
   * is nothing to tell. Never rejects.
   */
  contextOf(prompt: string): Promise<string>;
}
