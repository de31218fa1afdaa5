import { open } from "node:fs/promises";
import { fromHalves } from "@arcwise/core/encoders";
import { ArcwiseError } from "@arcwise/core/errors";
import { DataFile } from "./data-file.ts";

/** A matrix in a file of NumPy, whose rows are read when they are asked for. */
export interface NpyMatrix {
  readonly rows: number;
  readonly columns: number;
  /** Returns `count` rows from one on. */
  read(row: number, count: number): Promise<Float32Array>;
  close(): Promise<void>;
}

/** The types of numbers that are read, little-endian, with their sizes and how they become 32-bit floats. */
const TYPES: Readonly<
  Record<string, { readonly size: number; readonly read: (buffer: ArrayBuffer) => Float32Array }>
> = {
  "<f2": { size: 2, read: (buffer) => fromHalves(new Uint16Array(buffer)) },
  "<f4": { size: 4, read: (buffer) => new Float32Array(buffer) },
  "<f8": { size: 8, read: (buffer) => Float32Array.from(new Float64Array(buffer)) },
};

const MAGIC = "\x93NUMPY";
/** Maximum length of the description of an array. */
const MAX_HEADER = 2 ** 16;
const DESCRIPTION =
  /^\{\s*'descr':\s*'([^']*)',\s*'fortran_order':\s*(True|False),\s*'shape':\s*\((\d+),\s*(\d+)\),?\s*\}\s*$/;

/** Opens a matrix that `numpy.save` wrote, of 16-, 32- or 64-bit floats. */
export async function openNpy(path: string): Promise<NpyMatrix> {
  const { text, first, size } = await headerOf(path);
  const [, type = "", order, rows, columns] = DESCRIPTION.exec(text) ?? [];
  const known = Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
  if (known === undefined || order !== "False") {
    const expected = "a matrix of 16-, 32- or 64-bit floats by rows, as numpy.save writes it";
    throw invalid(path, `expected ${expected}, found ${text.trim().slice(0, 200)}`);
  }
  const shape = { rows: Number(rows), columns: Number(columns) };
  const expected = first + shape.rows * shape.columns * known.size;
  if (size !== expected) throw invalid(path, `expected ${expected} bytes, found ${size}`);
  const file = new DataFile(path, first);
  const width = shape.columns * known.size;
  return {
    ...shape,
    read: async (row, count) => {
      const bytes = await file.read(row * width, count * width);
      return known.read(bytes.buffer as ArrayBuffer);
    },
    close: () => file.close(),
  };
}

/** Returns the description of the array of a file, the offset of its numbers, and the size of the file. */
async function headerOf(path: string) {
  const file = await open(path);
  try {
    const bytes = new Uint8Array(12);
    await file.read(bytes, 0, 12, 0);
    const view = new DataView(bytes.buffer);
    if (String.fromCharCode(...bytes.subarray(0, 6)) !== MAGIC)
      throw invalid(path, "expected a file of numpy.save, found something else");
    // Version 1 has 16 bits for the length of the description, later ones 32.
    const [before, length] = bytes[6] === 1 ? [10, view.getUint16(8, true)] : [12, view.getUint32(8, true)];
    if (length > MAX_HEADER)
      throw invalid(path, `expected a description of ${MAX_HEADER} bytes, found ${length}`);
    const { buffer } = await file.read(new Uint8Array(length), 0, length, before);
    return { text: new TextDecoder().decode(buffer), first: before + length, size: (await file.stat()).size };
  } finally {
    await file.close();
  }
}

function invalid(path: string, what: string): ArcwiseError {
  return new ArcwiseError("invalid-vectors", `${path}: ${what}`, { file: path });
}
