export async function tools() { return []; }
