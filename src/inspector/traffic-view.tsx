import type { ViewProps } from "./app.tsx";

export function TrafficView({ world }: ViewProps) {
  return <p class="empty">{world.id}</p>;
}
