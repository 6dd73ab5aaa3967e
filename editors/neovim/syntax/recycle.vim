" Colours of RECYCLE, made by editors/make_grammars.py from the table of forms: edit the table, not this file.
if exists('b:current_syntax')
  finish
endif
syntax match recycleUnknown /\<\l\w*\>/
syntax keyword recycleKind hloc iloc mem oloc points sto str vloc
syntax keyword recycleFrame all any choice create deck declare define do else end isto istr label let players scoring secret setup stage teams
syntax keyword recycleAction cycle dec forget inc move pass put remember repeat set shuffle swap turn
syntax keyword recycleOwner current game next other owner player previous team
syntax keyword recycleValue actual and bottom cardatt disjunction fib filter first from indexed intersect largest max min mod not or partition pid random range run runs score scoremax scoremin size sort subsets sum tid top tri tuples union using
syntax match recycleName /\<\u\w*\>/
syntax match recycleVariable /'\u\w*/
syntax match recycleNumber /\<\d\+\>/
syntax match recycleComment /;;.*$/ contains=@Spell
highlight default link recycleKind Type
highlight default link recycleFrame Statement
highlight default link recycleAction Keyword
highlight default link recycleOwner Identifier
highlight default link recycleValue Function
highlight default link recycleUnknown Error
highlight default link recycleName Constant
highlight default link recycleVariable Special
highlight default link recycleNumber Number
highlight default link recycleComment Comment
let b:current_syntax = 'recycle'
