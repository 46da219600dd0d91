export async function start() { return []; }
