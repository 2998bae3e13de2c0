// Removes the types. Jest compiles no TypeScript by itself.
import { stripTypeScriptTypes } from "node:module";

export default { process: (text) => ({ code: stripTypeScriptTypes(text) }) };
