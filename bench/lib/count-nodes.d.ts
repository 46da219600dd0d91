/** Runs in a page. */
export declare function countNodes(): number;
