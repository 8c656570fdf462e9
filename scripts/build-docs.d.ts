export declare function hashDocs(): string;
export declare function isBuilt(sources?: string): boolean;
export declare function buildDocs(options?: { force?: boolean }): boolean;
