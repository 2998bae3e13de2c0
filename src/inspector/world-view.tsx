import type { ViewProps } from "./app.tsx";

export function WorldView({ world }: ViewProps) {
  return <p class="empty">{world.id}</p>;
}
