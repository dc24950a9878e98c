import { wholeOrUndone } from './testing/whole-or-undone.ts'

// the one after which nobody knows; the larger dose has them all
wholeOrUndone(['unanswered'])
