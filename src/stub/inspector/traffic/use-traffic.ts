import { useEffect, useRef, useState } from "preact/hooks";
import { controlApi, type WorldStatus } from "../parts/control-api.ts";
import { type FollowedTraffic, TrafficFollower } from "./traffic-follower.ts";
import { emptyLog } from "./traffic-log.ts";

/** The traffic of a world as far as it is fetched. */
export function useTraffic(world: WorldStatus): FollowedTraffic {
  const [traffic, setTraffic] = useState<FollowedTraffic>(() => ({ log: emptyLog(world.epoch) }));
  const follower = useRef<TrafficFollower>(null);
  useEffect(() => {
    const opened = new TrafficFollower(
      world,
      ({ after, limit }) => controlApi.traffic(world.id, after, limit),
      setTraffic,
    );
    follower.current = opened;
    return () => opened.close();
  }, [world.id]);
  useEffect(() => {
    void follower.current?.follow(world);
  }, [world]);
  return traffic;
}
