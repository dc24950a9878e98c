import { mishaps } from '@svc/testing/mishaps'
import { wholeOrUndone } from './testing/whole-or-undone.ts'

wholeOrUndone(mishaps)
