export async function view() { return []; }
