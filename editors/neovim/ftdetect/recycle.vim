autocmd BufRead,BufNewFile *.rcy setfiletype recycle
