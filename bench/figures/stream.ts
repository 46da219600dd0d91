export async function stream() {
  return [];
}
