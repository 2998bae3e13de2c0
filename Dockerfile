# An image of the command line, built from the lock file alone; docs/container.md says how, and what it is for.
# A build may bring its own npm cache in place of this stage: --build-context npm-cache=FOLDER. Then nothing is downloaded.
FROM scratch AS npm-cache

FROM node:24-slim AS sources
WORKDIR /app
COPY package.json package-lock.json ./

FROM sources AS build
RUN --mount=type=bind,from=npm-cache,target=/npm-cache,rw \
  npm ci --prefer-offline --cache=/npm-cache --ignore-scripts --no-audit --no-fund
COPY tsconfig.json ./
COPY contracts contracts
COPY schemas schemas
COPY tools tools
COPY src src
RUN npm run --silent build

FROM sources AS production
# An optional peer of the package becomes a dependency of the image: the driver of PostgreSQL. The lock file has its version.
RUN npm pkg set dependencies.pg="$(npm pkg get peerDependencies.pg | tr -d '"')" && npm pkg delete devDependencies.pg
RUN --mount=type=bind,from=npm-cache,target=/npm-cache,rw \
  npm ci --omit=dev --prefer-offline --cache=/npm-cache --ignore-scripts --no-audit --no-fund

FROM node:24-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=production /app ./
COPY --from=build /app/dist dist
COPY contracts contracts
COPY schemas schemas
COPY fixtures fixtures
COPY scenarios scenarios
COPY migrations migrations
COPY examples/init examples/init
RUN ln -s /app/dist/cli/main.cjs /usr/local/bin/understudy
# What a user mounts; reports and recordings are written there.
WORKDIR /work
USER node
HEALTHCHECK --interval=5s --timeout=3s --start-period=10s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.UNDERSTUDY_PORT || 7575}/livez`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["understudy"]
CMD ["serve"]
