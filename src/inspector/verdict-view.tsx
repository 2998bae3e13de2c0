import type { ViewProps } from "./app.tsx";

export function VerdictView({ world }: ViewProps) {
  return <p class="empty">{world.id}</p>;
}
