import type { DamlTransaction, TransactionNode } from "../../foundation/protobuf/prepared-transaction.ts";

const nodesMax = 10_000;
const depthMax = 200;

/** What keeps the nodes of a transaction from being a forest that can be walked; undefined where nothing does. */
export function forestProblem({ roots, nodes }: DamlTransaction): string | undefined {
  if (nodes.size > nodesMax) return `the transaction has ${nodes.size} nodes, the limit is ${nodesMax}`;
  const misnamed = [...nodes.keys()].find((id) => !/^(?:0|[1-9]\d{0,8})$/.test(id));
  if (misnamed !== undefined) return `${JSON.stringify(misnamed)} is no node id`;
  const reached = new Set<string>();
  const waiting = roots.map((id) => ({ id, depth: 1 }));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { id, depth } = next;
    const node = nodes.get(id);
    if (node === undefined) return `there is no node ${id}`;
    if (reached.has(id)) return `the node ${id} is reached twice`;
    if (depth > depthMax) return `the nodes are nested deeper than ${depthMax}`;
    reached.add(id);
    for (const child of childrenOf(node)) waiting.push({ id: child, depth: depth + 1 });
  }
  if (reached.size !== nodes.size) return "there are nodes that no root leads to";
  const misread = [...nodes.values()].find(
    (node) => "contractId" in node && !/^(?:[0-9a-f]{2}){33,127}$/.test(node.contractId),
  );
  return misread === undefined ? undefined : "a node has a contract id that is none";
}

function childrenOf(node: TransactionNode): readonly string[] {
  return "children" in node ? node.children : [];
}
