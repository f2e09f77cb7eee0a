/** The JSON Schema of the wire, on standard input, as TypeScript, on standard output. */
import { text } from "node:stream/consumers";
import { compile } from "json-schema-to-typescript";

const BANNER = "/** Generated from shared/protocol by `make wire`. Never edited. */";

/** The generator's own words about where it found a type, and its type of the schema as a whole. */
const NOISE = [
  /^ \*\n(?= \* This interface was referenced by)/gm,
  /^ \* This interface was referenced by .*\n \* via the `definition` .*\n/gm,
  /^\/\*\*\n \*\/\n/gm,
  /^export interface Wire \{\n {2}\[k: string\]: unknown;\n\}\n/m,
];

const schema = JSON.parse(await text(process.stdin));
const types = await compile(schema, "Wire", {
  additionalProperties: false,
  bannerComment: BANNER,
  ignoreMinAndMaxItems: true,
  unreachableDefinitions: true,
});
process.stdout.write(NOISE.reduce((code, noise) => code.replace(noise, ""), types));
