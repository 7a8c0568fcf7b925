export function makeMemoryFolder(options?: {
  readonly at?: string;
  readonly memory?: number;
}): string | null;
export function keepTemporaryFilesInMemory(): void;
