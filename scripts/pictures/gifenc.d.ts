// gifenc has no types of its own; these cover the used part. Colors are [red, green, blue], pixels are RGBA.
declare module 'gifenc' {
  export type Palette = readonly (readonly number[])[];

  interface FrameOptions {
    /** The first frame's palette is also the palette of all frames without one. */
    readonly palette?: Palette | undefined;
    /** Milliseconds. A GIF stores hundredths of a second. */
    readonly delay: number;
    readonly transparent: boolean;
    readonly transparentIndex: number;
    /** 1: the frame stays, and the next one is drawn over it. */
    readonly dispose: number;
  }

  const gifenc: {
    quantize(pixels: Uint8Array, maxColors: number): Palette;
    nearestColorIndex(palette: Palette, color: readonly number[]): number;
    GIFEncoder(): {
      writeFrame(indices: Uint8Array, width: number, height: number, options: FrameOptions): void;
      finish(): void;
      bytes(): Uint8Array;
    };
  };
  export default gifenc;
}
