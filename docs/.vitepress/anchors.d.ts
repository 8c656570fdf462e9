export declare const makeAnchor: (text: string) => string;
