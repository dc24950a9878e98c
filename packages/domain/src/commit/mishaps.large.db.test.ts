import { mishaps } from '@svc/testing/mishaps'
import { wholeOrUndone } from './testing/whole-or-undone.ts'

wholeOrUndone(mishaps)

// the one after which nobody knows; the larger dose has them all
wholeOrUndone(['unanswered'])
