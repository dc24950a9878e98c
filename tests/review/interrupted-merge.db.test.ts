import { mergesAfterKill, takesBackInterrupted } from './interrupted-merge.ts'

// The larger dose sends each signal at each moment, and kills at each.
takesBackInterrupted([{ moment: 'staged', signal: 'SIGTERM' }])
mergesAfterKill('committing')
