// Imported before everything else: zod asks for `eval` when a schema is made, and the page's security policy would
// report that as a violation.
import * as z from 'zod/mini';

z.config({ jitless: true });
