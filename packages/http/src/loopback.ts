/** Hosts that are this computer, as addresses name them. */
export const loopbackHosts: readonly string[] = ['localhost', '127.0.0.1', '[::1]']
