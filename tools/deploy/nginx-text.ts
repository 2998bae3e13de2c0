/** A place of the proxy: where it listens and where the replicas are. */
export interface ProxyPlace {
  /** The first line, which says where the file is. */
  readonly title: string;
  /** Files and folders of nginx: a folder with its slash, or empty for its working folder. */
  readonly folder: string;
  readonly log: string;
  readonly listen: string;
  readonly router: string;
  readonly replicas: readonly string[];
}

/** The configuration of nginx in front of replicas with one store. */
export function nginxText({ title, folder, log, listen, router, replicas }: ProxyPlace): string {
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `  ${name}_temp_path ${folder}${name};`,
  );
  const servers = replicas.map((replica) => `    server ${replica} max_fails=0;`);
  return `# ${title}
# Replicas of a shared sandbox behind one address: docs/replicas.md. Made by \`npm run generate\` from tools/deploy.
pid ${folder}nginx.pid;
error_log ${log};
events {}

http {
  access_log off;
${temporary.join("\n")}

  # The world of a request: by path, by header, or the default world. Participants of a fork go where the fork goes.
  map $request_uri $named {
    default $http_understudy_world;
    "~^/(?:w|__understudy/worlds)/(?<id>[^/?]+)" $id;
  }
  map $named $world {
    default $named;
    "" default;
    "~^(?<fork>.+-[0-9a-f]{10})-" $fork;
  }

  upstream replicas {
    hash $world consistent;
${servers.join("\n")}
    keepalive 32;
    keepalive_timeout 4s;
  }

  # A replica that did not execute a request gives the reason. A planned 503 of a scenario has another one and is not repeated.
  map $upstream_http_understudy_reason $elsewhere {
    default "";
    "~^(?:Another replica|The store does not respond, so)" @another;
  }

  # Pass requests and responses unchanged: the stub enforces the limits.
  client_max_body_size 0;
  ignore_invalid_headers off;
  underscores_in_headers on;
  merge_slashes off;
  proxy_http_version 1.1;
  proxy_set_header Host $http_host;
  proxy_set_header Connection "";
  proxy_buffering off;
  proxy_connect_timeout 1s;
  proxy_read_timeout 1h;
  # A request that a replica may have executed is never sent again.
  proxy_next_upstream off;

  server {
    listen ${listen};
    location / {
      proxy_pass http://${router};
      error_page 502 504 = @broken;
    }
    # One replica did not execute the request: ask all in turn.
    location @another {
      proxy_pass http://replicas;
      proxy_next_upstream error http_503 non_idempotent;
      error_page 502 504 = @broken;
    }
    # Close the connection if the stub resets or truncates a response. No replica executed a request that none received.
    location @broken {
      if ($upstream_bytes_sent ~ ": 0(?:, 0)*$") {
        add_header Retry-After 1 always;
        return 503;
      }
      return 444;
    }
  }

  # The router adds the header by which the server above asks another replica.
  server {
    listen ${router};
    location / {
      proxy_pass http://replicas;
      add_header X-Accel-Redirect $elsewhere always;
      error_page 502 504 = @failed;
    }
    location @failed {
      add_header X-Accel-Redirect @another always;
      if ($upstream_bytes_sent != 0) { return 444; }
      return 503;
    }
  }
}
`;
}
