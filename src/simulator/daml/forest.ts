import type { DamlTransaction, TransactionNode } from "../../foundation/protobuf/prepared-transaction.ts";

const nodesMax = 10_000;
const depthMax = 200;

/** Why the nodes of a transaction are not a forest; undefined if they are. */
export function forestProblem({ roots, nodes }: DamlTransaction): string | undefined {
  if (nodes.size > nodesMax) return `the transaction has ${nodes.size} nodes, the limit is ${nodesMax}`;
  const misnamed = [...nodes.keys()].find((id) => !/^(?:0|[1-9]\d{0,8})$/.test(id));
  if (misnamed !== undefined) return `${JSON.stringify(misnamed)} is not a node id`;
  const reached = new Set<string>();
  const waiting = roots.map((id) => ({ id, depth: 1 }));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { id, depth } = next;
    const node = nodes.get(id);
    if (node === undefined) return `node ${id} does not exist`;
    if (reached.has(id)) return `node ${id} is reached twice`;
    if (depth > depthMax) return `the nodes are nested deeper than ${depthMax}`;
    reached.add(id);
    for (const child of childrenOf(node)) waiting.push({ id: child, depth: depth + 1 });
  }
  if (reached.size !== nodes.size) return "some nodes cannot be reached from a root";
  const misread = [...nodes.values()].find(
    (node) => "contractId" in node && !/^(?:[0-9a-f]{2}){33,127}$/.test(node.contractId),
  );
  return misread === undefined ? undefined : "a node has an invalid contract id";
}

function childrenOf(node: TransactionNode): readonly string[] {
  return "children" in node ? node.children : [];
}
