export declare const SERVER_ARGS: readonly string[];
export declare const SERVER_ENVIRONMENT: Readonly<Record<string, string>>;
