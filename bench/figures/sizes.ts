export async function sizes() { return []; }
