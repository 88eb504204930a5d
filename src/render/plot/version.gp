# First of all: the other scripts use arrays and blocks of data.  One line, because old versions know
# no blocks of commands; it says which version this is, and the caller what to install.
if (GPVAL_VERSION < 5.2) print "too old: ", GPVAL_VERSION ; exit
