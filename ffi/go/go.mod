module axpress

go 1.19
