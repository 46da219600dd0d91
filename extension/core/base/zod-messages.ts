// Sets English messages for invalid values. By default, `zod/mini` reports "Invalid input" for everything.
import { en } from 'zod/locales';
import * as z from 'zod/mini';

z.config(en());
