import { stringify } from "yaml";
import { composeFile } from "./compose.ts";
import { kubernetesObjects } from "./kubernetes.ts";
import { checkJob, mergeJob } from "./kubernetes-check.ts";
import { nginxText } from "./nginx-text.ts";
import { settings } from "./settings.ts";

const made = "Made by `npm run generate` from tools/deploy.";

/** The files of examples/deploy by name. */
export function deployFiles(): Readonly<Record<string, string>> {
  const { local, compose, port } = settings;
  return {
    "nginx.conf": nginxText({
      title: "nginx.conf",
      folder: "",
      log: "nginx.log",
      listen: `127.0.0.1:${port}`,
      router: `127.0.0.1:${local.router}`,
      replicas: local.replicas.map((replica) => `127.0.0.1:${replica}`),
    }),
    "compose.nginx.conf": nginxText({
      title: "compose.nginx.conf",
      folder: "/tmp/",
      log: "/dev/stderr",
      listen: String(port),
      router: `127.0.0.1:${settings.routerPort}`,
      replicas: compose.replicas.map((address) => `${address}:${port}`),
    }),
    "compose.yaml": yamlText("PostgreSQL, two replicas and nginx on one machine.", [composeFile()]),
    "kubernetes.yaml": yamlText("Two replicas and nginx in a cluster.", kubernetesObjects()),
    "check.yaml": yamlText("A check of a recording in parts.", [checkJob()]),
    "check-merge.yaml": yamlText("Joins the reports of check.yaml.", [mergeJob()]),
  };
}

function yamlText(purpose: string, objects: readonly object[]): string {
  const texts = objects.map((object) => stringify(object, { lineWidth: 0, aliasDuplicateObjects: false }));
  return `# ${purpose} docs/replicas.md explains it. ${made}\n${texts.join("---\n")}`;
}
