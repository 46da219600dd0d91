/** The number with leading zeros: pad(7, 2) is "07". */
export function pad(number, length) {
  return String(number).padStart(length, '0');
}
