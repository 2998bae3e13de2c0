import type { ViewProps } from "./app.tsx";

export function TimelineView({ world }: ViewProps) {
  return <p class="empty">{world.id}</p>;
}
