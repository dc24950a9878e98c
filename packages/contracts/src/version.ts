/** The version of everything that is released together. */
export const version = '0.1.0'
