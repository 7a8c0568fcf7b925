declare module "excel2json-wasm" {
  interface Sheet {
    readonly cells: readonly (readonly unknown[])[];
  }
  export function convertArray(
    bytes: Uint8Array,
    options?: { readonly styles?: boolean },
  ): Promise<{ readonly data: readonly Sheet[] }>;
}
