// npm ci and npm run typecheck: the lists that are made from folders (docs/adding.md#registries).
import { fileURLToPath } from "node:url";
import { makeRegistries } from "./lib/registries.mjs";

makeRegistries(fileURLToPath(new URL("..", import.meta.url)));
