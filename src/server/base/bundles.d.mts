export declare const BUNDLES: { readonly server: string; readonly media: string };
export type BundleName = keyof typeof BUNDLES;
export declare const SOURCES: string;
export declare function bundleFolder(name: BundleName): string;
export declare function contentHash(path: string): string;
export declare function areBuilt(root: string): boolean;
export declare function freshBundle(root: string, name: BundleName): string | null;
