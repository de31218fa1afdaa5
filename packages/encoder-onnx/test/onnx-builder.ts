/* Writes graphs in the format of ONNX: messages of protocol buffers, as far as tests need them. */

/** A node of a graph: operator, inputs, outputs, and attributes that are integers or lists of these. */
export interface NodeFacts {
  readonly op: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes?: Readonly<Record<string, number | readonly number[]>>;
}

/** A constant of a graph. With `file`, its bytes are stored there from `offset` on. */
export interface ConstantFacts {
  readonly name: string;
  readonly dims: readonly number[];
  readonly values: Float32Array | BigInt64Array;
  readonly external?: { readonly file: string; readonly offset: number };
}

/** An input or output of a graph. A text is a dimension of any size. */
export interface ValueFacts {
  readonly name: string;
  readonly type: keyof typeof TYPES;
  readonly dims: readonly (number | string)[];
}

export interface GraphFacts {
  readonly nodes: readonly NodeFacts[];
  readonly constants: readonly ConstantFacts[];
  readonly inputs: readonly ValueFacts[];
  readonly outputs: readonly ValueFacts[];
}

/** Numbers of types of elements. */
const TYPES = { float32: 1, int32: 6, int64: 7 } as const;

type Bytes = readonly number[];

function varint(value: number): Bytes {
  return value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))];
}

/** A field that is an integer. */
function whole(field: number, value: number): Bytes {
  return [...varint(field * 8), ...varint(value)];
}

/** A field that is a text, bytes or another message. */
function block(field: number, content: string | Bytes): Bytes {
  const bytes = typeof content === "string" ? [...new TextEncoder().encode(content)] : content;
  return [...varint(field * 8 + 2), ...varint(bytes.length), ...bytes];
}

function nodeBytes({ op, inputs, outputs, attributes = {} }: NodeFacts): Bytes {
  const lists = Object.entries(attributes).map(([name, value]) =>
    typeof value === "number"
      ? [...block(1, name), ...whole(3, value), ...whole(20, 2)]
      : [...block(1, name), ...value.flatMap((item) => whole(8, item)), ...whole(20, 7)],
  );
  return [
    ...inputs.flatMap((name) => block(1, name)),
    ...outputs.flatMap((name) => block(2, name)),
    ...block(4, op),
    ...lists.flatMap((list) => block(5, list)),
  ];
}

/** The bytes of the values of a constant. */
export function rawBytes({ values }: ConstantFacts): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}

function constantBytes(constant: ConstantFacts): Bytes {
  const { name, dims, values, external } = constant;
  const type = values instanceof Float32Array ? TYPES.float32 : TYPES.int64;
  const entry = (key: string, value: string | number) =>
    block(13, [...block(1, key), ...block(2, String(value))]);
  return [
    ...dims.flatMap((size) => whole(1, size)),
    ...whole(2, type),
    ...block(8, name),
    ...(external === undefined
      ? block(9, [...rawBytes(constant)])
      : [
          ...entry("location", external.file),
          ...entry("offset", external.offset),
          ...entry("length", values.byteLength),
          ...whole(14, 1),
        ]),
  ];
}

function valueBytes({ name, type, dims }: ValueFacts): Bytes {
  const sizes = dims.flatMap((size) => block(1, typeof size === "number" ? whole(1, size) : block(2, size)));
  const tensor = [...whole(1, TYPES[type]), ...block(2, sizes)];
  return [...block(1, name), ...block(2, block(1, tensor))];
}

/** Returns a graph as the bytes of a model of operator set 17. */
export function modelBytes({ nodes, constants, inputs, outputs }: GraphFacts): Uint8Array<ArrayBuffer> {
  const graph = [
    ...nodes.flatMap((node) => block(1, nodeBytes(node))),
    ...block(2, "tiny"),
    ...constants.flatMap((constant) => block(5, constantBytes(constant))),
    ...inputs.flatMap((value) => block(11, valueBytes(value))),
    ...outputs.flatMap((value) => block(12, valueBytes(value))),
  ];
  const operators = [...block(1, ""), ...whole(2, 17)];
  return Uint8Array.from([...whole(1, 8), ...block(8, operators), ...block(7, graph)]);
}
