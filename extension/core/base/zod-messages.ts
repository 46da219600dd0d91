// Says in English what is wrong with a value. Of itself, `zod/mini` says "Invalid input" of everything.
import { en } from 'zod/locales';
import * as z from 'zod/mini';

z.config(en());
