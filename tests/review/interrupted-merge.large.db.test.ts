import { outlivesKills, takesBackInterrupted } from './interrupted-merge.ts'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
takesBackInterrupted(
  (['switched', 'staged', 'committing'] as const).flatMap((moment) =>
    signals.map((signal) => ({ moment, signal })),
  ),
)
outlivesKills(['staged', 'committing'])
