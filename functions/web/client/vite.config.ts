import { fileURLToPath } from "node:url";
import preact from "@preact/preset-vite";
import { defineConfig } from "vitest/config";
import { firstLoad } from "./scripts/first-load.ts";

/** The build goes where the deployment stages the function's files from. */
const BUILD = fileURLToPath(new URL("../../../.build/web", import.meta.url));

export default defineConfig({
  plugins: [preact(), firstLoad()],
  build: {
    outDir: BUILD,
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: "es2023",
  },
  test: {
    environment: "happy-dom",
    include: ["test/**/*.test.{ts,tsx}"],
    // It asks for React by name, which only a build knows to be Preact.
    server: { deps: { inline: ["virtua"] } },
    // For what hangs: how long a machine takes that does other things, too, is no failure.
    testTimeout: 120_000,
  },
});
