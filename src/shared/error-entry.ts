/** What the catalogue of errors (errors.ts) says of one code. */
export interface CatalogueEntry {
  readonly zh: string;
  readonly retryable: boolean;
  /** HTTP status the server answers with when this error ends a request. */
  readonly http: number;
}

export const entry = (http: number, zh: string, retryable = false): CatalogueEntry => ({
  zh,
  retryable,
  http,
});
