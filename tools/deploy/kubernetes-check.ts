import type { Job } from "kubernetes-types/batch/v1.js";
import { settings } from "./settings.ts";

const { shards } = settings;
const name = "understudy-check";
const folder = "/data";

/** A check of a recording, in parts that run beside each other. */
export function checkJob(): Job {
  const report = "part-$JOB_COMPLETION_INDEX.json";
  // 1 means findings, and 2 an incomplete check, which has a report too: the merge decides. The report of an earlier job goes
  // first, because a check that reads nothing writes none.
  const line = `rm -f ${report}; understudy check traffic.har --shard auto/${shards} --report ${report} || [ $? -le 2 ]`;
  const { spec, ...job } = jobOf(name, line);
  return { ...job, spec: { completionMode: "Indexed", completions: shards, parallelism: shards, ...spec } };
}

/** The last step: joins the reports of the parts. Its exit code is that of the whole check. */
export function mergeJob(): Job {
  return jobOf(`${name}-merge`, "understudy check merge part-*.json --report verdict.html --force");
}

function jobOf(job: string, line: string) {
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { name: job },
    spec: {
      backoffLimit: 0,
      template: {
        spec: {
          restartPolicy: "Never",
          // The user of the image writes the reports to the volume.
          securityContext: { fsGroup: settings.imageUser },
          containers: [
            {
              name: "check",
              image: settings.image,
              command: ["sh", "-c", line],
              workingDir: folder,
              volumeMounts: [{ name: "data", mountPath: folder }],
            },
          ],
          volumes: [{ name: "data", persistentVolumeClaim: { claimName: name } }],
        },
      },
    },
  } satisfies Job;
}
