/** With HARNESS_LONG_TESTS=1 tests of many cases run at their full size; `npm test` has the size that finds as many distinct ones. */
export const isLong = Boolean(process.env.HARNESS_LONG_TESTS);
