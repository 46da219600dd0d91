import * as z from 'zod/mini';

/**
 * A position in a long text: the offset (characters) of a block or line of code, and the distance of its top
 * above the edge.
 */
export const textPlace = z.object({ at: z.int(), offset: z.number() });
export type TextPlace = z.infer<typeof textPlace>;
