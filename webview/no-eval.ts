// Must be imported first. zod tries `eval` when a schema is created, and the page's security policy would
// report that as a violation.
import * as z from 'zod/mini';

z.config({ jitless: true });
