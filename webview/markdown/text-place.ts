import * as z from 'zod/mini';

/** A place in a long text: the offset (characters) of a block or a line of code, and how far its top is above the edge. */
export const textPlace = z.object({ at: z.int(), offset: z.number() });
export type TextPlace = z.infer<typeof textPlace>;
