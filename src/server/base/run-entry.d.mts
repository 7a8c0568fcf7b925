import type { BundleName } from "./bundles.mjs";

export declare function runEntry(name: BundleName): Promise<void>;
